"""Making memories out of what was said: a model's reply read, or rules where there is no model."""
