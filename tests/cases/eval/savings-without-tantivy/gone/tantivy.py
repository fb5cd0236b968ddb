raise ImportError("as if it were not installed")
