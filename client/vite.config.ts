import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The server serves what is built here: one page, one script, one style, all under /static.
export default defineConfig({
  plugins: [svelte()],
  base: "/static/",
  build: {
    outDir: "../src/ninefold/server/static/app",
    emptyOutDir: true,
    assetsDir: "",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:9009",
      "/qr": "http://127.0.0.1:9009",
      "/ws": { target: "ws://127.0.0.1:9009", ws: true },
    },
  },
});
