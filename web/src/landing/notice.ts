/** Something short to tell. */
export interface Notice {
  tone: 'success' | 'warning' | 'error'
  title: string
  description?: string
}
