import { reference } from '#shared/api/reference/reference.ts';
import type { sendPerfMetrics } from './sendPerfMetrics.ts';

export default reference<typeof sendPerfMetrics>({
  example: { body: { event: 'loaded', duration: 120, properties: { device: 'phone' } } },
  budget: { calls: 0 },
});
