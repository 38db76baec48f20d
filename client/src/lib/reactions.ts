// The signs that players can send each other.
import type { React } from "./types";

export const REACTIONS: React["emoji"][] = ["👍", "😂", "😮", "😢", "🎉", "🤔", "❤️", "🍀", "9️⃣"];
