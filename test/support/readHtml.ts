/** Reads rendered HTML back, and asserts that it is harmless. */
import { Parser } from 'htmlparser2';
import { expect } from 'vitest';

export interface Shown {
  /** Names of elements, in order. */
  elements: string[];
  attributes: Record<string, string>[];
  text: string;
}

export function readHtml(html: string): Shown {
  const result: Shown = { elements: [], attributes: [], text: '' };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      result.elements.push(name);
      result.attributes.push(attributes);
    },
    ontext: text => {
      result.text += text;
    },
  });
  parser.end(html);
  return result;
}

/** Returns the values of an attribute of all elements with a name. */
export const valuesOf = ({ elements, attributes }: Shown, element: string, attribute: string): (string | undefined)[] =>
  elements.flatMap((name, i) => (name === element ? [attributes[i]![attribute]] : []));

/** Elements that would load, run or send something. */
const ACTIVE = 'script iframe object embed style svg form base meta link img input'.split(' ');

/** Asserts that the rendered part runs and loads nothing, and links to no script. */
export function expectInert(made: Shown): void {
  for (const name of ACTIVE) expect(made.elements).not.toContain(name);
  expect(made.attributes.flatMap(Object.keys).filter(name => name.startsWith('on'))).toEqual([]);
  for (const href of valuesOf(made, 'a', 'href')) expect(href).toMatch(/^(https?|mailto|tel):/);
}
