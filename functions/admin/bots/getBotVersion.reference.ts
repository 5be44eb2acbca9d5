import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getBotVersion } from './getBotVersion.ts';

export default reference<typeof getBotVersion>({
  parameters: { versionId: 'Id of the version, which `listBotVersions` returns.' },
  example: { path: { id: EXAMPLE.bot, versionId: EXAMPLE.version } },
  budget: { calls: 2 },
});
