import type { Answer } from '../wire/message.ts'

/** HTML that is safe to send: what was put into it is escaped. */
export type Html = Readonly<{ html: string }>

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text without meaning to a browser. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

type Value = string | number | Html | readonly Html[]

/** A template whose values are escaped unless they are HTML themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const texts = parts.map((part, index) => part + rendered(values[index] ?? ''))
  return { html: texts.join('') }
}

function rendered(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map((one) => one.html).join('')
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8882}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1rem}
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1rem;margin-top:2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:left;white-space:nowrap}
th{font-weight:600;background:var(--soft)}.number{text-align:right}
.key{font-family:ui-monospace,monospace;font-size:.85em;overflow-wrap:anywhere;white-space:normal}`

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'Cache-Control': 'no-store',
}

/** A whole page. */
export function page(title: string, body: Html): Answer {
  const whole = html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${{ html: STYLE }}</style></head><body><main>${body}</main></body></html>`
  return { status: 200, body: whole.html, headers: HEADERS }
}

/** A column of a table: its name, and what a row shows in it; numbers stand at the right. */
export type Column<Row> = Readonly<{ name: string; isNumber?: boolean; show: (row: Row) => Value }>

/** A table, or a sentence where there is nothing to show. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], nothing: string): Html {
  if (rows.length === 0) return html`<p>${nothing}</p>`
  const heads = columns.map(({ name, isNumber }) =>
    isNumber ? html`<th scope="col" class="number">${name}</th>` : html`<th scope="col">${name}</th>`,
  )
  const lines = rows.map((row) => {
    const cells = columns.map(({ isNumber, show }) =>
      isNumber ? html`<td class="number">${show(row)}</td>` : html`<td>${show(row)}</td>`,
    )
    return html`<tr>${cells}</tr>`
  })
  return html`<div class="wide" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`
}
