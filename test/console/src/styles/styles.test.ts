/** Styles of the component library, which the console imports one by one. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = join(ROOT, 'console/src');
const STYLES = join(ROOT, 'node_modules/@mantine/core/styles');
const STYLE = /@mantine\/core\/styles\/(\w+)\.layer\.css/g;

const sources = globSync('**/*.{ts,tsx,css}', { cwd: SOURCES }).map(file => readFileSync(join(SOURCES, file), 'utf8'));
const imported = new Set(sources.flatMap(source => [...source.matchAll(STYLE)].map(([, name]) => name!)));
const components = new Set(
  sources.flatMap(source =>
    [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim().replace(/ as .*/, '')),
    ),
  ),
);

/** Components inside others. */
const PARTS: Record<string, string[]> = {
  Drawer: ['ModalBase', 'Overlay', 'CloseButton'],
  Modal: ['ModalBase', 'Overlay', 'CloseButton'],
  Menu: ['Popover'],
  Switch: ['InlineInput'],
  Checkbox: ['InlineInput'],
  SegmentedControl: ['FloatingIndicator'],
  Button: ['Loader', 'UnstyledButton'],
  TextInput: ['Input'],
  NativeSelect: ['Combobox', 'Input'],
  Highlight: ['Mark'],
};

it('imports the style of every component that a page shows', () => {
  const needed = [...components].flatMap(name => [name, ...(PARTS[name] ?? [])]);
  const missing = needed.filter(name => existsSync(join(STYLES, `${name}.layer.css`)) && !imported.has(name));

  expect(missing).toEqual([]);
});
