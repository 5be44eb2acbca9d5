/** Texts that people add to the pages of a PDF: values of form fields, text boxes and notes. */
import { startOf } from '#shared/core/excerpt.ts';
import type { Block } from '#shared/core/passage.ts';

/** The used attributes of an annotation of pdf.js. */
export interface Annotation {
  subtype?: string;
  annotationFlags?: number;
  contentsObj?: { str?: string };
  fieldType?: string;
  fieldName?: string;
  alternativeText?: string;
  fieldValue?: unknown;
  exportValue?: string;
  buttonValue?: string | null;
  options?: { exportValue: unknown; displayValue: unknown }[];
  password?: boolean;
  pushButton?: boolean;
}

const LABEL_LIMIT_CHARS = 200;
/** Flags of annotations that readers do not show: hidden, and not for the screen. */
const UNSEEN = 2 | 32;
/** A popup repeats its note, and the text of a link is on the page. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['Link', 'Popup']);

/** Yields the texts of a page's annotations that are neither on the page nor in `seen`, to which it adds them. */
export function* annotationBlocks(
  annotations: readonly Annotation[],
  pageText: string,
  seen: Set<string>,
): Generator<Block> {
  const onPage = unspaced(pageText);
  for (const annotation of annotations) {
    const { subtype = '', annotationFlags = 0, contentsObj } = annotation;
    if ((annotationFlags & UNSEEN) !== 0 || WITHOUT_TEXT.has(subtype)) continue;
    const isField = subtype === 'Widget';
    const text = isField ? textOfField(annotation) : (contentsObj?.str?.trim() ?? '');
    if (text === '' || seen.has(text) || (!isField && onPage.includes(unspaced(text)))) continue;
    seen.add(text);
    yield { type: isField ? 'table' : 'paragraph', text };
  }
}

const unspaced = (text: string) => text.replace(/\s+/g, '');

function textOfField(field: Annotation): string {
  const value = valueOfField(field).trim();
  if (value === '') return '';
  const label = startOf(
    (field.alternativeText || field.fieldName || '').replace(/\s+/g, ' ').trim(),
    LABEL_LIMIT_CHARS,
  );
  return label ? `${label}: ${value}` : value;
}

function valueOfField({ fieldType, fieldValue, password, pushButton, ...field }: Annotation): string {
  if (password || pushButton) return '';
  if (fieldType === 'Tx') return typeof fieldValue === 'string' ? fieldValue : '';
  if (fieldType === 'Ch') {
    const displayed = (value: unknown) =>
      field.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
    return [fieldValue]
      .flat()
      .map(displayed)
      .filter(value => typeof value === 'string')
      .join(', ');
  }
  // A check box or one of several radio buttons. Its value is the name of its state.
  const state = field.buttonValue ?? field.exportValue;
  return fieldType === 'Btn' && typeof fieldValue === 'string' && fieldValue === state && state !== 'Off' ? state : '';
}
