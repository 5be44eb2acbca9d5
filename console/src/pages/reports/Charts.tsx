import { BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { SimpleGrid, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Report } from '../../api/contract.ts';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { Section } from '../../parts/Section.tsx';
import { formatCount, formatDate, formatSeconds } from './formats.ts';

const t = translator('reports', reports);

const HEIGHT = 240;
const COUNTED = ['conversations', 'started'] as const;
const COLOURS = { conversations: 'brand.6', started: 'orange.6' } as const;
/** The table beside a chart replaces it for keyboards and screen readers. */
const NOT_FOCUSABLE = { accessibilityLayer: false } as const;
const TIMED = ['waiting', 'firstResponse'] as const;

/** Figures by day. Days in the future are omitted. */
export function Charts({ days }: { days: Report['days'] }) {
  const counts = days.map(({ date, conversations, started }) => ({ date, values: { conversations, started } }));
  const times = days.map(({ date, waiting, firstResponse }) => ({
    date,
    values: { waiting: waiting.medianSeconds, firstResponse: firstResponse.medianSeconds },
  }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
      <Chart
        title={t('byDay')}
        names={COUNTED.map(name => t(name))}
        rows={counts.map(({ date, values }) => [formatDate(date), ...COUNTED.map(name => formatCount(values[name]))])}
      >
        <BarChart
          barChartProps={NOT_FOCUSABLE}
          h={HEIGHT}
          maxBarWidth={28}
          dataKey="day"
          withLegend
          data={counts.map(({ date, values }) => ({
            day: formatDate(date),
            ...Object.fromEntries(COUNTED.map(name => [t(name), values[name]])),
          }))}
          series={COUNTED.map(name => ({ name: t(name), color: COLOURS[name] }))}
        />
      </Chart>
      <Chart
        title={t('timesByDay')}
        names={TIMED.map(name => t(name))}
        rows={times.map(({ date, values }) => [formatDate(date), ...TIMED.map(name => formatSeconds(values[name]))])}
      >
        <LineChart
          lineChartProps={NOT_FOCUSABLE}
          h={HEIGHT}
          dataKey="day"
          withLegend
          connectNulls={false}
          curveType="monotone"
          yAxisProps={{ width: 72 }}
          valueFormatter={formatSeconds}
          data={times.map(({ date, values }) => ({
            day: formatDate(date),
            ...Object.fromEntries(TIMED.map(name => [t(name), values[name] ?? null])),
          }))}
          series={[
            { name: t('waiting'), color: 'orange.6' },
            { name: t('firstResponse'), color: 'brand.6' },
          ]}
        />
      </Chart>
    </SimpleGrid>
  );
}

interface ChartProps {
  title: string;
  names: readonly string[];
  rows: readonly string[][];
  children: ReactNode;
}

/** A chart with a table of the same numbers for screen readers. */
const Chart = ({ title, names, rows, children }: ChartProps) => (
  <Section title={title}>
    <figure aria-label={title} style={{ margin: 0, position: 'relative' }}>
      <div aria-hidden>{children}</div>
      <VisuallyHidden component="div">
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              {names.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([day, ...values]) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {values.map((value, place) => (
                  <td key={names[place]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  </Section>
);
