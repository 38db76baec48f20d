// Files for people: the record of a match, and pictures to send.
import { record } from "./api";
import type { TableView } from "./types";

/** Save a file where downloads go. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function downloadRecord(code: string, token: string | null, table: TableView): Promise<void> {
  const found = await record(code, token, table.match);
  const content = new Blob([JSON.stringify(found)], { type: "application/json" });
  save(content, `${table.game}-${code}-${table.match}.json`);
}

/** Hand a picture to another app, where the device can; else save it. What has become of it, for a person. */
export async function share(picture: Blob, name: string, title: string): Promise<string> {
  const files = [new File([picture], name, { type: picture.type })];
  if (navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files, title });
      return "Picture shared";
    } catch (error) {
      if ((error as Error).name === "AbortError") return ""; // changed their mind
    }
  }
  save(picture, name);
  return "Picture saved";
}

/** Put an address on the clipboard; false where the browser does not allow it. */
export async function copied(address: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false; // as over http from another machine
  }
}
