const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
] as const

/** Returns the time since an instant, in its largest unit: `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function relativeTimeText(instant: string, nowMs: number): string {
  const agoMs = nowMs - new Date(instant).getTime()
  const unit = units.find(({ ms }) => agoMs >= ms)
  return unit === undefined ? 'just now' : `${Math.floor(agoMs / unit.ms)} ${unit.name} ago`
}
