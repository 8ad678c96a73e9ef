// Writes the stamp of the sources that have passed all checks; `npm run verify` runs it last.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHECKED, stampOf } from "./stamp.js";

const here = fileURLToPath(new URL(".", import.meta.url));
writeFileSync(new URL("checked.txt", import.meta.url), stampOf(here, CHECKED) + "\n");
