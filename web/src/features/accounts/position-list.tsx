import type { AccountPosition } from '@tripline/proto/account'
import { Button } from 'antd'
import { accountTexts } from '../../ui/accounts/account-texts.ts'
import { Profit, SideMark } from '../../ui/accounts/marks.tsx'
import { numberOrNone, priceOrNone } from './number-or-none.ts'
import { type Column, RowList } from './row-list.tsx'
import { texts } from './texts.ts'

const { columns: names } = texts

interface PositionListProps {
  label: string
  positions: readonly AccountPosition[]
  onClose: (position: AccountPosition) => void
}

/** The open positions of one account. */
export function PositionList({ label, positions, onClose }: PositionListProps) {
  if (positions.length === 0) return <p className="quiet">{texts.noPositions}</p>
  return (
    <RowList
      label={`${texts.positions}, ${label}`}
      columns={[...columns, closing(onClose)]}
      rows={positions}
      keyOf={({ symbol, position_side: side }) => `${symbol} ${side}`}
    />
  )
}

const columns: readonly Column<AccountPosition>[] = [
  { name: names.symbol, cell: ({ symbol }) => <code>{symbol}</code> },
  { name: names.side, cell: (position) => <PositionSide position={position} /> },
  { name: names.size, isNumber: true, cell: ({ size }) => numberOrNone(size) },
  { name: names.entry, isNumber: true, cell: ({ entry_price: price }) => priceOrNone(price) },
  { name: names.mark, isNumber: true, cell: ({ mark_price: price }) => numberOrNone(price) },
  { name: names.profit, isNumber: true, cell: ({ unrealized_pnl: profit }) => <Profit amount={profit} /> },
  { name: names.margin, isNumber: true, cell: ({ margin }) => numberOrNone(margin, 2) },
  { name: names.liquidation, isNumber: true, cell: liquidationText },
]

/** Exchanges calculate it to more places than the market has prices. */
function liquidationText({ liquidation_price: price, mark_price, entry_price }: AccountPosition): string {
  return numberOrNone(price, Math.max(2, placesOf(mark_price), placesOf(entry_price)))
}

function placesOf(price: string | null): number {
  return price?.split('.')[1]?.length ?? 0
}

function PositionSide({ position: { side, position_side: ofSide } }: { position: AccountPosition }) {
  return (
    <>
      <SideMark side={side} />
      {ofSide !== 'both' && (
        <span className="quiet"> {texts.hedge(accountTexts.sides[ofSide].toLowerCase())}</span>
      )}
    </>
  )
}

function closing(onClose: PositionListProps['onClose']): Column<AccountPosition> {
  return {
    name: names.actions,
    isAction: true,
    cell: (position) => (
      <Button size="small" aria-label={texts.closeOf(position.symbol)} onClick={() => onClose(position)}>
        {texts.close}
      </Button>
    ),
  }
}
