import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A metric that an expression asks for, with the labels it looks at. */
export interface AskedMetric {
  name: string
  labels: string[]
}

/** The metrics that an expression asks for; throws where it cannot be read. */
export function askedMetrics(expression: string): AskedMetric[] {
  const tree = parser.parse(expression)
  const asked: AskedMetric[] = []
  const grouped: string[] = []
  tree.iterate({
    enter: ({ node, type }) => {
      const text = expression.slice(node.from, node.to)
      if (type.isError) throw new Error(`${expression} cannot be read at ${node.from}`)
      if (type.name === 'VectorSelector') asked.push(readSelector(node, expression))
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouped.push(text)
    },
  })
  return asked.map(({ name, labels }) => ({ name, labels: [...labels, ...grouped] }))
}

function readSelector(selector: SyntaxNode, expression: string): AskedMetric {
  const name = selector.getChild('Identifier')
  const labels: string[] = []
  selector.cursor().iterate(({ type, from, to }) => {
    if (type.name === 'LabelName') labels.push(expression.slice(from, to))
  })
  return { name: name === null ? '' : expression.slice(name.from, name.to), labels }
}
