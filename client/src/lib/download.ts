// Saving the record of a match as a file.
import { record } from "./api";
import type { TableView } from "./types";

export async function downloadRecord(code: string, token: string | null, table: TableView): Promise<void> {
  const found = await record(code, token, table.match);
  const address = URL.createObjectURL(new Blob([JSON.stringify(found)], { type: "application/json" }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = `${table.game}-${code}-${table.match}.json`;
  anchor.click();
  URL.revokeObjectURL(address);
}
