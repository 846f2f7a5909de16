"""What is doubtful in what agents remember, found in the background and kept as rows until a person settles it."""
