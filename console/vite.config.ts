import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run console:build`. Uses relative URLs, so that the same files work under any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: process.env.CONSOLE_OUT_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no `data:` URLs for scripts and fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_200,
  },
});
