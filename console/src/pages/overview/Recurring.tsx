/** Recurring events of a bot. */
import { Code, Table, Text } from '@mantine/core';
import { Cron } from 'croner';
import { useState } from 'react';
import type { Bot } from '../../api/useBot.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { Detail } from '../../parts/FormDialog.tsx';
import { Section } from '../../parts/Section.tsx';
import { Fact, Facts, Json, Row, RowButton, Rows, When } from '../../parts/Small.tsx';
import { scheduleInWords } from './scheduleInWords.ts';

const t = translator('bots', bots);

type Recurring = Bot['recurringEvents'][string] & { name: string };

export function Recurring({ bot }: { bot: Bot }) {
  const [open, setOpen] = useState<Recurring>();
  const events = Object.entries(bot.recurringEvents).map(([name, event]) => ({ ...event, name }));
  return (
    <Section title={t('recurring')} about={t('recurringAbout')}>
      <Rows label={t('schedule')} heads={[t('name'), t('schedule'), t('next'), t('type')]}>
        {events.map(event => (
          <Row key={event.name}>
            <Table.Td>
              <RowButton onClick={() => setOpen(event)}>{event.name}</RowButton>
            </Table.Td>
            <Table.Td>
              <Schedule cron={event.schedule.cron} />
            </Table.Td>
            <Table.Td>
              <When at={nextOf(event.schedule.cron)} />
            </Table.Td>
            <Table.Td>{event.type}</Table.Td>
          </Row>
        ))}
      </Rows>
      <Detail of={open} title={open?.name} onClose={() => setOpen(undefined)}>
        {({ type, schedule, payload }) => (
          <>
            <Facts>
              <Fact name={t('type')}>{type}</Fact>
              <Fact name={t('schedule')}>
                <Schedule cron={schedule.cron} />
              </Fact>
              <Fact name={t('next')}>
                <When at={nextOf(schedule.cron)} />
              </Fact>
            </Facts>
            <Text size="sm" fw={500} mt="md" mb={4}>
              {t('payload')}
            </Text>
            <Json value={payload} label={t('payload')} />
          </>
        )}
      </Detail>
    </Section>
  );
}

function Schedule({ cron }: { cron: string }) {
  const words = scheduleInWords(cron);
  return (
    <>
      {words && <>{words} </>}
      <Code>{cron}</Code>
    </>
  );
}

/** The platform has accepted the expression, in the same form (docs/api/botChat.md#recurring-events). */
function nextOf(cron: string): string | undefined {
  const options = { utcOffset: 0, mode: '5-part', sloppyRanges: true, paused: true } as const;
  return new Cron(cron, options).nextRun()?.toISOString();
}
