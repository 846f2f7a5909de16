"""What agents and extractions want to write, where their agent asks first: kept, shown, decided by the person."""
