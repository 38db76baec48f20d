// Takes the addresses out of the lock: everyone installs from their own registry, and the hashes still hold.
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const one of Object.values(lock.packages)) delete one.resolved;
writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
