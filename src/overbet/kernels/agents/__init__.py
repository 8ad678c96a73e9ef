"""What built-in agents do at the table, one kernel each."""
