/** Builds the widget: a single script without further requests. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';

export const WIDGET_FILE = 'widget.js';
export const WIDGET_BUDGET_BYTES = 60_000;

const SOURCES = join(import.meta.dirname, '../../widget');

/** Imports style sheets as texts for the shadow root. */
const styleAsText: Plugin = {
  name: 'style-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  },
};

/** @returns the bundled files */
export async function buildWidget(outfile: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: SOURCES,
    metafile: true,
    entryPoints: [join(SOURCES, 'main.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    tsconfig: join(SOURCES, 'tsconfig.json'),
    plugins: [styleAsText],
    // ASCII, because a script without a charset is decoded with that of the embedding page.
    charset: 'ascii',
    banner: { js: '/*! Parley chat, Apache-2.0. Contains preact and marked, MIT. */' },
  });
  return Object.keys(metafile.inputs).map(file => join(SOURCES, file));
}
