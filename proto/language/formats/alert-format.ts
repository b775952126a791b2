/** The forms in which alerts are read; a webhook has one of them. */
export const alertFormats = [
  'tripline',
  '3commas',
  'traderspost',
  'wundertrading',
  'tvhub',
  'finandy',
  'autoview',
  'whook',
] as const
export type AlertFormat = (typeof alertFormats)[number]
