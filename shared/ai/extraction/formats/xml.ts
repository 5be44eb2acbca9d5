/** Streams the XML of Office files. The standard forbids DTDs, so there are no entities to expand. */
import { Parser } from 'htmlparser2';
import { UnreadableFileError } from '#shared/core/passage.ts';
import type { Archive } from './openArchive.ts';

/** The parser's work is quadratic in the depth. */
export const DEPTH_LIMIT = 10_000;

export const tooDeep = () => new UnreadableFileError(`The file has elements nested more than ${DEPTH_LIMIT} deep.`);

/** Names have no namespace prefix, which writers choose freely. */
export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

export async function readXml(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > DEPTH_LIMIT) throw tooDeep();
        handler.open?.(local(name), attributes);
      },
      onclosetag(name) {
        depth--;
        handler.close?.(local(name));
      },
      ontext: text => handler.text?.(text),
      onprocessinginstruction(name) {
        if (name.toLowerCase().startsWith('!doctype')) {
          throw new UnreadableFileError('The file has a document type declaration, which Office files must not have.');
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for await (const chunk of archive.read(part)) parser.write(decoder.decode(chunk, { stream: true }));
  parser.end(decoder.decode());
}

export function attribute(attributes: Record<string, string>, name: string): string | undefined {
  const found = Object.keys(attributes).find(each => local(each) === name);
  return found === undefined ? undefined : attributes[found];
}

/** Returns a part's relations by id, with the last segment of their type. */
export async function readRelations(
  archive: Archive,
  part: string,
): Promise<Map<string, { type: string; part: string }>> {
  const slash = part.lastIndexOf('/') + 1;
  const relationsPart = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  const relations = new Map<string, { type: string; part: string }>();
  if (!archive.has(relationsPart)) return relations;
  await readXml(archive, relationsPart, {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || !Id || TargetMode === 'External') return;
      const { pathname } = new URL(Target, `http://archive/${part}`);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: decodeURIComponent(pathname.slice(1)) });
    },
  });
  return relations;
}
