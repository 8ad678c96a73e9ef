"""Pictures of tables that the user supplies, read into an editable spot (extra `vision`).

`pictures` opens a file within bounds, `registration` finds the table of a profile in it, `reading` reads
cards, amounts, button and turn with a confidence each, `spot` makes a spot to solve of it. `profile` and
`calibration` say where things are on a table, `likeness` how the site looks; `drawn/` draws tables whose
truth is known; `networks/` holds the two small networks and their training; `folder_report` measures.
Nothing here looks at a screen.
"""
