import type { AlertBlock } from '@tripline/proto/alert'
import { nearestSymbol } from '../domain/order/nearest-symbol.ts'
import { checkBlock, type Finding } from '../domain/preview/check.ts'
import type { AlertRun, BlockTarget } from './alert-run.ts'

/** A finding, and the index of its block. */
export type BlockFinding = Finding & { block: number }

/** Returns why blocks of an alert cannot run, by their targets and markets as they are known. */
export function checkTargets({ alert, targets }: Pick<AlertRun, 'alert' | 'targets'>): BlockFinding[] {
  return alert.blocks.flatMap((block, index) =>
    checkTarget(block, targets[index], alert.isCloseOnly).map((finding) => ({ ...finding, block: index })),
  )
}

function checkTarget(
  block: AlertBlock,
  target: BlockTarget | undefined,
  isCloseOnly: boolean | undefined,
): readonly Finding[] {
  const { label, symbol } = block
  if (target?.problem !== undefined)
    return [{ code: 'E406', message: `${label} cannot trade: ${target.problem}` }]
  if (target?.client === undefined) {
    const message = `${label} cannot trade: its market is not available, or its exchange cannot be reached`
    return [{ code: 'E404', message }]
  }
  const { venue } = target.client
  const market = venue.market(symbol)
  const meant = market === undefined ? nearestSymbol(symbol, venue) : undefined
  return checkBlock(block.commands, { symbol, market, meant, isCloseOnly })
}
