import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { useState } from 'react'
import { authorizedFetch } from '../../shared/authorized-fetch.ts'
import { useToast } from '../../ui/toast.ts'
import type { ExecutionFilter } from './execution-filter.ts'
import { saveAs } from './save-as.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

const formats = ['csv', 'json'] as const
type Format = (typeof formats)[number]

/** Downloads everything that the filters choose. */
export function ExportButtons() {
  const { filter } = useFilters()
  const toast = useToast()
  const [busy, setBusy] = useState<Format>()
  async function save(format: Format) {
    setBusy(format)
    try {
      saveAs(await exported(format, filter), `executions.${format}`)
    } catch {
      toast.error({ title: texts.export.failure })
    }
    setBusy(undefined)
  }
  return formats.map((format) => (
    <button
      key={format}
      type="button"
      className="action"
      disabled={busy !== undefined}
      onClick={() => void save(format)}
    >
      <DownloadOutlined spin={busy === format} /> {texts.export[format]}
    </button>
  ))
}

async function exported(format: Format, filter: ExecutionFilter): Promise<Blob> {
  const query = new URLSearchParams({ format, ...filter })
  const answer = await authorizedFetch(new Request(`/api/webhook-executions/export?${query}`))
  if (!answer.ok) throw new Error(`The export answered ${answer.status}`)
  return await answer.blob()
}
