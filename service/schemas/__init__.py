"""What bodies must look like: JSON in, checked fields out, or faults with a pointer each."""
