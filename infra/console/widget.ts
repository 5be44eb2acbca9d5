/** Builds the widget: one script, which loads nothing more. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';

/** The file beside the console's page. */
export const WIDGET_FILE = 'widget.js';
/** The limit of the script compressed by gzip, which is all that a page loads. */
export const WIDGET_BUDGET_BYTES = 60_000;

const SOURCES = join(import.meta.dirname, '../../console/widget');

/** A shadow root takes its style sheet from the script, as a text. */
const styleAsText: Plugin = {
  name: 'style-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  },
};

/** @param outfile where the script is written */
export async function buildWidget(outfile: string): Promise<void> {
  await build({
    entryPoints: [join(SOURCES, 'main.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    tsconfig: join(SOURCES, 'tsconfig.json'),
    plugins: [styleAsText],
    // In ASCII, since a script without a charset is read in that of the page around it.
    charset: 'ascii',
    banner: { js: '/*! Parley chat, Apache-2.0. Contains preact and marked, MIT. */' },
  });
}
