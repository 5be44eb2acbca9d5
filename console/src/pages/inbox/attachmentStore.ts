/**
 * Files that the member has attached to replies, by conversation. Uploads continue while they work on another
 * conversation. A reload discards files that were not sent, because browsers do not store them.
 */
import { type FileKind, kindOfType, MAX_FILE_BYTES, MAX_FILES, type SentFile } from './attachmentFiles.ts';

export interface Attachment {
  key: string;
  file: File;
  kind: FileKind;
  /** `waiting` until the member is the assignee. */
  state: 'waiting' | 'uploading' | 'uploaded' | 'failed';
  /** Share of the bytes that were sent, from 0 to 1. */
  progress: number;
  error?: unknown;
  url?: string;
}

export type Upload = (
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<{ url: string; contentType: string }>;

export type Refusal = { reason: 'tooLarge'; name: string } | { reason: 'tooMany' };

const NONE: readonly Attachment[] = [];

export class AttachmentStore {
  private readonly items = new Map<string, readonly Attachment[]>();
  private readonly running = new Map<string, { abort: AbortController; ended: Promise<void> }>();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  of(conversationId: string): readonly Attachment[] {
    return this.items.get(conversationId) ?? NONE;
  }

  /** Returns why a file was not added. */
  add(conversationId: string, files: readonly File[]): Refusal | undefined {
    const fitting = files.filter(({ size }) => size <= MAX_FILE_BYTES);
    const room = MAX_FILES - this.of(conversationId).length;
    const added = fitting.slice(0, room).map(
      (file): Attachment => ({
        key: crypto.randomUUID(),
        file,
        kind: kindOfType(file.type),
        state: 'waiting',
        progress: 0,
      }),
    );
    this.set(conversationId, [...this.of(conversationId), ...added]);
    const tooLarge = files.find(({ size }) => size > MAX_FILE_BYTES);
    if (tooLarge) return { reason: 'tooLarge', name: tooLarge.name };
    return fitting.length > room ? { reason: 'tooMany' } : undefined;
  }

  /** Uploads the files that wait. Resolves to true if all files of the conversation are uploaded. */
  async upload(conversationId: string, upload: Upload): Promise<boolean> {
    for (const each of this.of(conversationId)) {
      if (each.state === 'waiting') this.start(conversationId, each, upload);
    }
    await Promise.all(this.of(conversationId).map(({ key }) => this.running.get(key)?.ended));
    return this.of(conversationId).every(({ state }) => state === 'uploaded');
  }

  retry(conversationId: string, attachment: Attachment, upload: Upload): void {
    this.start(conversationId, attachment, upload);
  }

  /** Removes a file, and cancels its upload. */
  remove(conversationId: string, key: string): void {
    this.running.get(key)?.abort.abort();
    this.set(
      conversationId,
      this.of(conversationId).filter(each => each.key !== key),
    );
  }

  /** Returns the files for sending, and removes them. */
  take(conversationId: string): SentFile[] {
    const taken = this.of(conversationId).flatMap(({ kind, url, file }) =>
      url === undefined ? [] : [{ kind, url, name: file.name }],
    );
    this.set(conversationId, []);
    return taken;
  }

  /** Removes everything, for a new session. */
  clear(): void {
    for (const { abort } of this.running.values()) abort.abort();
    this.items.clear();
    this.notify();
  }

  private start(conversationId: string, { key, file }: Attachment, upload: Upload): void {
    const abort = new AbortController();
    const change = (changed: Partial<Attachment>) =>
      this.set(
        conversationId,
        this.of(conversationId).map(each => (each.key === key ? { ...each, ...changed } : each)),
      );
    const run = async () => {
      try {
        const { url, contentType } = await upload(file, progress => change({ progress }), abort.signal);
        change({ state: 'uploaded', progress: 1, url, kind: kindOfType(contentType) });
      } catch (error) {
        change({ state: 'failed', error });
      } finally {
        this.running.delete(key);
      }
    };
    change({ state: 'uploading', progress: 0, error: undefined });
    this.running.set(key, { abort, ended: run() });
  }

  private set(conversationId: string, items: readonly Attachment[]): void {
    if (items.length > 0) this.items.set(conversationId, items);
    else this.items.delete(conversationId);
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
