/** Details of the user that the page sets, until the chat has stored them. */
import type { UserFields } from '../userDetails.ts';
import { warn } from '../warn.ts';
import { type ChatApi, ChatFault } from './chatApi.ts';

export class Details {
  #fields: UserFields | undefined;
  /** The user for whom the fields are stored. Another guest needs them as well. */
  #storedFor: string | undefined;
  /** Calls are made in order, so that an earlier value does not replace a later one. */
  #work: Promise<void> = Promise.resolve();

  constructor(fields?: UserFields) {
    this.#fields = fields;
  }

  get fields(): UserFields | undefined {
    return this.#fields;
  }

  /** Merges fields, and attributes by name. */
  set(fields: UserFields): void {
    const attributes = { ...this.#fields?.attributes, ...fields.attributes };
    this.#fields = {
      ...this.#fields,
      ...fields,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    };
    this.#storedFor = undefined;
  }

  /** Stores what is not stored yet. @throws ChatFault when a retry may succeed, or the key is invalid */
  store(api: ChatApi, userId: string): Promise<void> {
    const stored = this.#work.then(() => this.#store(api, userId));
    this.#work = stored.catch(() => {});
    return stored;
  }

  async #store(api: ChatApi, userId: string): Promise<void> {
    const fields = this.#fields;
    if (!fields || this.#storedFor === userId) return;
    try {
      await api.getOrCreateUser(fields);
    } catch (fault) {
      const isRejected = fault instanceof ChatFault && !fault.isPassing && fault.status !== 401 && fault.status !== 404;
      if (!isRejected) throw fault;
      warn(`The details of the user were not stored: ${fault.message}`);
    }
    if (fields === this.#fields) this.#storedFor = userId;
  }
}
