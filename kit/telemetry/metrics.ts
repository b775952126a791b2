import {
  type GaugeConfiguration,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
} from 'prom-client'

/** The values a label may have: a list, or `few` where they are only known once the process runs. */
export type LabelValues = readonly string[] | 'few'
type Spec = Readonly<Record<string, LabelValues>>
/** No labels but `process`. */
export type Unlabeled = Record<never, never>
export type LabelsOf<Labels extends Spec> = {
  [Name in keyof Labels]: Labels[Name] extends readonly (infer Value)[] ? Value : string
}

/** Something that is counted. */
export interface Counter<Labels extends Spec> {
  add: (labels: LabelsOf<Labels>, by?: number) => void
}

/** Something of which many values are gathered. */
export interface Histogram<Labels extends Spec> {
  observe: (labels: LabelsOf<Labels>, value: number) => void
}

/** A value with its labels. */
export type Sample<Labels extends Spec> = readonly [labels: LabelsOf<Labels>, value: number]
type Source<Labels extends Spec> = () => Iterable<Sample<Labels>> | Promise<Iterable<Sample<Labels>>>

/** Something that is looked up when somebody asks for it, and has no value before it follows a source. */
export interface Gauge<Labels extends Spec> {
  follow: (source: Source<Labels>) => void
}

/** A metric that is registered. */
export interface Registered {
  name: string
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
}

/** The metrics of one process. Their names begin with `tripline_`, each carries the label `process`. */
export interface Metrics {
  counter: <const Labels extends Spec>(name: string, help: string, labels: Labels) => Counter<Labels>
  gauge: <const Labels extends Spec>(name: string, help: string, labels: Labels) => Gauge<Labels>
  histogram: <const Labels extends Spec>(
    name: string,
    help: string,
    labels: Labels,
    buckets: readonly number[],
  ) => Histogram<Labels>
  registered: () => readonly Registered[]
  /** All of it in the text form of Prometheus. */
  read: () => Promise<string>
  /** Called before all of it is read. */
  onRead: (listener: () => void) => void
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** No metrics yet, of the process with this name. */
export function createMetrics(processName: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process: processName })
  const registered: Registered[] = []
  const listeners: (() => void)[] = []
  const about = (kind: Registered['kind'], name: string, help: string, labels: Spec) => {
    const labelNames = Object.keys(labels)
    registered.push({ name: `tripline_${name}`, kind, help, labels: [...labelNames, 'process'] })
    return { name: `tripline_${name}`, help, labelNames, registers: [registry] }
  }
  return {
    counter: (name, help, labels) => {
      const counter = new PromCounter(about('counter', name, help, labels))
      // A rate needs a first value: what has not happened yet is zero and not absent.
      for (const combination of combinations(labels)) counter.inc(combination, 0)
      return { add: (of, by = 1) => counter.inc(of as Record<string, string>, by) }
    },
    gauge: (name, help, labels) => openGauge(about('gauge', name, help, labels)),
    histogram: (name, help, labels, buckets) => {
      const histogram = new PromHistogram({
        ...about('histogram', name, help, labels),
        buckets: [...buckets],
      })
      return { observe: (of, value) => histogram.observe(of as Record<string, string>, value) }
    },
    registered: () => registered,
    read: async () => {
      for (const listener of listeners) listener()
      return await registry.metrics()
    },
    onRead: (listener) => void listeners.push(listener),
  }
}

/** A gauge asks when it is read; where asking fails it has no value, and the others are read all the same. */
function openGauge<const Labels extends Spec>(
  about: Omit<GaugeConfiguration<string>, 'collect'>,
): Gauge<Labels> {
  let source: Source<Labels> = () => []
  const collect = async (): Promise<void> => {
    const samples = await asked(source)
    if (about.labelNames?.length === 0) gauge.remove()
    else gauge.reset()
    for (const [labels, value] of samples) gauge.set(labels as Record<string, string>, value)
  }
  const gauge = new PromGauge({ ...about, collect })
  return {
    follow: (followed) => {
      source = followed
    },
  }
}

async function asked<Labels extends Spec>(source: Source<Labels>): Promise<Iterable<Sample<Labels>>> {
  try {
    return await source()
  } catch {
    return []
  }
}

/** Every combination of labels; none where some values are not known beforehand. */
function combinations(labels: Spec): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [name, values]) =>
      values === 'few' ? [] : all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
}
