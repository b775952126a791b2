import type { Plugin } from 'vite'

const styleFile = /node_modules[\\/]antd[\\/]es[\\/].*[\\/]style[\\/]/
const makers = new Set(['genStyleHooks', 'genSubStyleComponent', 'genComponentStyleHook'])

interface Place {
  start: number
  end: number
}

/** Leaves out of antd what would make rules at run time: with `zeroRuntime` nothing calls it. */
export function antdWithoutRules(): Plugin {
  return {
    name: 'antd-without-rules',
    transform: {
      filter: { id: styleFile },
      handler(code) {
        const rules = rulesIn(this.parse(code)).toSorted((one, other) => other.start - one.start)
        const without = rules.reduce(
          (all, { start, end }) => `${all.slice(0, start)}() => []${all.slice(end)}`,
          code,
        )
        return { code: without, map: null }
      },
    },
  }
}

/** Returns the ranges of the functions that make rules: the second argument of each maker. */
function rulesIn(node: unknown): Place[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(rulesIn)
  const {
    type,
    callee,
    arguments: given,
  } = node as {
    type?: string
    callee?: { name?: string }
    arguments?: Place[]
  }
  const rules = given?.[1]
  if (type === 'CallExpression' && makers.has(callee?.name ?? '') && rules !== undefined) return [rules]
  return Object.values(node).flatMap(rulesIn)
}
