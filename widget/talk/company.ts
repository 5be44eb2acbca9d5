/** The other participants of a conversation: names, pictures, read marks and the assignee. */
import type { ChatApi } from './chatApi.ts';
import type { Handoff, LiveSignal } from './chatContract.ts';

export interface Person {
  name: string;
  pictureUrl: string | undefined;
}

export interface CompanyState {
  /** Participants with a name, by their ids. */
  people: ReadonlyMap<string, Person>;
  /** Ids of all participants. The bot is not one. */
  participantIds: ReadonlySet<string>;
  /** Undefined while the bot handles the conversation. */
  handoff: Handoff | undefined;
  /** The newest message that another participant has read, or an empty string. */
  readId: string;
}

export const ALONE: CompanyState = { people: new Map(), participantIds: new Set(), handoff: undefined, readId: '' };

interface CompanyOptions {
  api: ChatApi;
  conversationId: string;
  userId: string;
  onChange(state: CompanyState): void;
  /** Called with the current handoff, also when it is read. */
  onHandoff(handoff: Handoff | undefined): void;
}

/** Failures are ignored: messages without a name are readable. */
export class Company {
  #options: CompanyOptions;
  #state = ALONE;
  /** Counts handoff signals, so that an older response does not replace them. */
  #heard = 0;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(options: CompanyOptions) {
    this.#options = options;
  }

  /** Resolves when the participants that were added so far are known, or cannot be read. */
  get known(): Promise<unknown> {
    return this.#reading;
  }

  /** Reads the current state, because handoff signals are not replayed to listeners. */
  async read(): Promise<void> {
    const { api, conversationId } = this.#options;
    const heard = this.#heard;
    const conversation = api.getConversation(conversationId).then(({ conversation: { handoff } }) => {
      if (heard === this.#heard) this.#setHandoff(handoff);
    });
    await Promise.allSettled([conversation, this.#readPeopleAgain()]);
  }

  hear(signal: LiveSignal): void {
    if (signal.type === 'handoff') {
      this.#heard++;
      const { status, userId } = signal.data;
      this.#setHandoff(status === 'closed' ? undefined : { status, userId });
    }
    if (signal.type === 'message_read') this.#markRead([[signal.data.userId, signal.data.messageId]]);
    if (signal.type === 'participant_added') void this.#readPeopleAgain();
  }

  #setHandoff(handoff: Handoff | undefined): void {
    this.#options.onHandoff(handoff);
    this.#change({ handoff });
  }

  #readPeopleAgain(): Promise<unknown> {
    this.#reading = Promise.allSettled([this.#reading, this.#readPeople()]);
    return this.#reading;
  }

  async #readPeople(): Promise<void> {
    const { api, conversationId } = this.#options;
    const { participants } = await api.listParticipants(conversationId);
    const named = participants.flatMap(({ id, name, pictureUrl }) =>
      name ? [[id, { name, pictureUrl }] as const] : [],
    );
    // Keeps participants who left, because their messages remain.
    this.#change({
      people: new Map([...this.#state.people, ...named]),
      participantIds: new Set([...this.#state.participantIds, ...participants.map(({ id }) => id)]),
    });
    this.#markRead(participants.map(({ id, lastReadMessageId = '' }) => [id, lastReadMessageId]));
  }

  #markRead(marks: readonly (readonly [userId: string, messageId: string])[]): void {
    const others = marks.filter(([userId]) => userId !== this.#options.userId).map(([, messageId]) => messageId);
    const readId = [this.#state.readId, ...others].toSorted().at(-1)!;
    if (readId !== this.#state.readId) this.#change({ readId });
  }

  #change(changes: Partial<CompanyState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#options.onChange(this.#state);
  }
}
