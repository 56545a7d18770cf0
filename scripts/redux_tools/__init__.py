"""What the scripts share: one reader of result files, one statistics module, one set of words."""
