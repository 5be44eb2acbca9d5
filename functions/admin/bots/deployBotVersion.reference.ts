import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deployBotVersion } from './deployBotVersion.ts';

export default reference<typeof deployBotVersion>({
  example: { path: { id: EXAMPLE.bot }, body: { versionId: EXAMPLE.version } },
  // Reads the bot with its definition and the version, and writes once.
  budget: { calls: 3 },
});
