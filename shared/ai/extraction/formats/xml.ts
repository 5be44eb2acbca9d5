/** Streams the XML of documents. Entities are never expanded, and their declarations are rejected. */
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
  let decoder: InstanceType<typeof TextDecoder> | undefined;
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
      onprocessinginstruction(_name, declaration) {
        if (/^!(doctype[\s\S]*\[|entity)/i.test(declaration)) {
          throw new UnreadableFileError(
            'The file has a document type declaration with entities, which documents must not have.',
          );
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for await (const chunk of archive.read(part)) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  parser.end(decoder?.decode());
}

/** XML is UTF-8 unless its first bytes are a byte order mark or its declaration names another encoding. */
function encodingOf(start: Buffer): string {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)/.exec(start.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(/^utf-16$/i.test(declared) ? 'utf-8' : declared).encoding;
  } catch {
    return 'utf-8';
  }
}

export function attribute(attributes: Record<string, string>, name: string): string | undefined {
  const found = Object.keys(attributes).find(each => local(each) === name);
  return found === undefined ? undefined : attributes[found];
}

/** Returns the id of a relation: the prefixed attribute `id`, because a plain one may be a number. */
export function relationId(attributes: Record<string, string>): string {
  const prefixed = Object.keys(attributes).find(each => each !== 'id' && local(each) === 'id');
  return attributes[prefixed ?? 'id'] ?? '';
}

export interface Relation {
  type: string;
  part: string;
}

/** Returns a part's relations by id, with the last segment of their type. */
export async function readRelations(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1;
  const relationsPart = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  const relations = new Map<string, Relation>();
  if (!archive.has(relationsPart)) return relations;
  await readXml(archive, relationsPart, {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || !Id || TargetMode === 'External') return;
      const target = resolvePart(Target, part);
      if (target) relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: target });
    },
  });
  return relations;
}

/** Resolves a reference of a part to another part. @returns undefined for an invalid or external reference */
export function resolvePart(reference: string, part: string): string | undefined {
  const base = `http://archive/${part.split('/').map(encodeURIComponent).join('/')}`;
  if (!URL.canParse(reference, base)) return undefined;
  const { host, pathname } = new URL(reference, base);
  try {
    return host === 'archive' ? decodeURIComponent(pathname.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}
