import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import type { BlockPlan } from '@tripline/proto/plan'
import { Button, Tag } from 'antd'
import { exchangeName } from '../../shared/exchange-name.ts'
import { CodeHelp } from '../../ui/help/code-help.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SecondsAgo } from '../../ui/seconds-ago.tsx'
import type { Network } from './network.ts'
import { type PlanLine, planLines } from './plan-lines.ts'
import { previewTexts } from './texts.ts'
import { useBots } from './use-bots.ts'
import type { Preview } from './use-preview.ts'

const glyphs = { orders: '→', acts: '→', nothing: '–', skipped: '–', refused: '✕', unknown: '?' }

const networkColors = { paper: 'default', testnet: 'warning', mainnet: 'error' }

/** The orders that a message would place if it were sent now, a line for each. */
export function MessagePreview({ preview }: { preview: Preview }) {
  const { plan, isAsking, hasFailed, answeredAt, again } = preview
  const isIdle = plan.length === 0 && !isAsking && !hasFailed
  return (
    <section className="preview" aria-label={previewTexts.region} aria-busy={isAsking}>
      {isIdle && <p className="quiet">{previewTexts.idle}</p>}
      {plan.length === 0 && isAsking && <p className="quiet">{previewTexts.asking}</p>}
      {hasFailed && (
        <p className="preview-fault">
          {previewTexts.failure}{' '}
          <Button size="small" onClick={again}>
            {previewTexts.again}
          </Button>
        </p>
      )}
      {plan.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
        <PlannedBlock key={index} block={block} />
      ))}
      {plan.length > 0 && (
        <p className="preview-again">
          {answeredAt !== undefined && (
            <span className="quiet small">
              <SecondsAgo since={answeredAt} say={previewTexts.age} />
            </span>
          )}
          <IconButton
            icon={<ReloadOutlined spin={isAsking} aria-hidden="true" />}
            label={previewTexts.again}
            onClick={again}
          />
        </p>
      )}
    </section>
  )
}

function PlannedBlock({ block }: { block: BlockPlan }) {
  const network = useBots().find(({ label }) => label === block.label)?.network
  return (
    <div className="preview-block">
      <p className="preview-head">
        <strong>{block.label}</strong> <code>{block.symbol}</code>
        <ExchangeName exchange={block.exchange} network={network} />
      </p>
      <ul className="preview-lines">
        {planLines(block).map((line) => (
          <PreviewLine key={line.key} line={line} exchange={block.exchange} />
        ))}
      </ul>
    </div>
  )
}

interface ExchangeNameProps {
  exchange: string | null
  network: Network | undefined
}

/** Exchange and network of a block's orders; the name of the paper exchange says both. */
function ExchangeName({ exchange, network }: ExchangeNameProps) {
  const name = exchange === null ? undefined : exchangeName(exchange)
  const isSaid = network === 'paper' && name !== undefined
  return (
    <span className="preview-place">
      {name !== undefined && !isSaid && <span className="quiet">{name}</span>}
      {network && <Tag color={networkColors[network]}>{isSaid ? name : previewTexts.networks[network]}</Tag>}
    </span>
  )
}

function PreviewLine({ line, exchange }: { line: PlanLine; exchange: string | null }) {
  const { outcome, command, text, code, reason, warnings } = line
  return (
    <li className={`preview-line preview-${outcome}`}>
      <span aria-hidden="true">{glyphs[outcome]}</span>
      <div>
        {command !== '' && <code>{command} </code>}
        {text} <CodeHelp code={code} message={text} exchange={exchange} />
        {reason !== '' && <span className="preview-reason quiet small">{reason}</span>}
        {warnings.map((warning) => (
          <div key={warning.text} className="preview-warning">
            {warning.text} <CodeHelp {...warning} message={warning.text} />
          </div>
        ))}
      </div>
    </li>
  )
}
