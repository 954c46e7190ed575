const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  k: 1000,
  m: 1000 ** 2,
  g: 1000 ** 3,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
};

/** Bytes of a size as people type it: `900`, `100k`, `1.5 MB`, `2MiB`. Nothing, where it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:[.,]\d+)?)\s*([kmg]?i?)[bo]?$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toLowerCase() ?? "?"];
  if (match?.[1] === undefined || unit === undefined) return undefined;
  return Math.round(Number(match[1].replace(",", ".")) * unit);
}

/** A whole number of messages. Nothing, where it is none. */
export function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : undefined;
}
