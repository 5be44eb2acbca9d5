/**
 * Generation of the conversation that an item belongs to. Absent in the first generation, and outside of conversations.
 */
export const GENERATION = 'g';
export const OF_GENERATION = { generation: GENERATION } as const;
