import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { type Widget, WidgetSettings } from '#shared/storage/dynamodb/bots/widgets.ts';

export const WidgetView = z.object({
  settings: WidgetSettings,
  version: z.number(),
  updatedAt: z.optional(dateTime()),
});

export const viewWidget = (widget: Widget | undefined): z.infer<typeof WidgetView> =>
  widget
    ? { settings: widget.settings, version: widget.version, updatedAt: iso(widget.updatedAtMs) }
    : { settings: {}, version: 0 };
