/** Interfaces of the ecosystem's public integrations and plugins, with the same names and versions. */
import { hitl, messageState, proactiveConversation, proactiveUser, typingIndicator } from './conversationInterfaces.ts';
import { filesReadonly } from './fileInterfaces.ts';
import { creatable, deletable, listable, readable, updatable } from './itemInterfaces.ts';
import { llm, speechToText, textToImage } from './modelInterfaces.ts';

export const WELL_KNOWN_INTERFACES = [
  creatable,
  deletable,
  filesReadonly,
  hitl,
  listable,
  llm,
  messageState,
  proactiveConversation,
  proactiveUser,
  readable,
  speechToText,
  textToImage,
  typingIndicator,
  updatable,
];
