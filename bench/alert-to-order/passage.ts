/** When an alert had been received, and when its order was handed to a connection; wall clock, in ms. */
export interface Passage {
  receivedAt: number
  sentAt: number
}
