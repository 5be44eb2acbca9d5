/** A model that answers a text with a text. */

interface Prompt {
  /** How it is to answer. */
  system?: string;
  prompt: string;
  /** Another model of the same provider than the one that is configured. */
  model?: string | undefined;
  /** Of the answer, which is cut there. */
  maxTokens: number;
}

export interface LanguageModel {
  /** What the provider calls the model that answers when no other is asked for. */
  id: string;
  /**
   * @throws Throttled when the service asks to come back later, after having tried for a while; Refused when it does not
   * want this prompt, or has no such model
   */
  complete(prompt: Prompt): Promise<string>;
}
