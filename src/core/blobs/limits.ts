/** How large a picture of a cassette may be. The contract limits its bytes alone (cassette-contract 2.2); the pixels are ours. */
export const blobLimits = {
  /** One side: beyond it browsers stop to paint. */
  imageSideMax: 16_384,
  /** Width times height: 400 MB once decoded. */
  imagePixelsMax: 100_000_000,
} as const;
