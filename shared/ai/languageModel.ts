/** A language model: text in, text out. */

interface Prompt {
  /** Instructions on how to answer. */
  system?: string;
  prompt: string;
  /** Overrides the configured model with another one of the same provider. */
  model?: string | undefined;
  /** Limit at which the answer is truncated. */
  maxTokens: number;
}

export interface LanguageModel {
  /** The provider's id of the configured model. */
  id: string;
  /**
   * @throws ThrottledError when the service still asks to retry later after several attempts
   * @throws RequestRejectedError when the service rejects the prompt or does not know the model
   */
  complete(prompt: Prompt): Promise<string>;
}
