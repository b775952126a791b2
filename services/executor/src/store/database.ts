interface PartitionEpochTable {
  partition: number
  epoch: number
  owner: string
  place: string | null
  renewal: number
  renewed_at: string
}

/** The schema `executor`. */
export interface Tables {
  partition_epoch: PartitionEpochTable
}
