import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Tells the service worker which files it keeps, and gives each build another name. */
const kept: Plugin = {
  name: "kept",
  apply: "build",
  enforce: "post",
  generateBundle: {
    order: "post",
    async handler(_, bundle) {
      const parts = Object.values(bundle);
      const all = parts
        .map((part) => part.fileName + (part.type === "chunk" ? part.code : part.source))
        .sort();
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(all.join()));
      const build = Array.from(new Uint8Array(hash).slice(0, 6), (byte) =>
        byte.toString(16).padStart(2, "0"),
      );
      const names = parts.map((part) => part.fileName).filter((name) => /-.*\.(js|css)$/.test(name));
      for (const part of parts)
        if (part.type === "chunk" && part.fileName === "worker.js")
          part.code = part.code
            .replaceAll("__FILES__", JSON.stringify(names.sort().map((name) => `/static/${name}`)))
            .replaceAll("__BUILD__", JSON.stringify(build.join("")));
    },
  },
};

// The server serves what is built here: one page, one script, one style, all under /static, and the service worker.
export default defineConfig({
  plugins: [svelte(), kept],
  base: "/static/",
  build: {
    outDir: "../src/ninefold/server/static/app",
    emptyOutDir: true,
    assetsDir: "",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rolldownOptions: {
      input: { index: "index.html", worker: "worker/worker.ts" },
      output: { entryFileNames: ({ name }) => (name === "worker" ? "worker.js" : "[name]-[hash].js") },
    },
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:9009",
      "/qr": "http://127.0.0.1:9009",
      "/ws": { target: "ws://127.0.0.1:9009", ws: true },
    },
  },
});
