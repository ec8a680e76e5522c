/** A number without error: whole numbers above and below the line, `bottom` positive. */
export interface Fraction {
  top: bigint
  bottom: bigint
}

/** The decimal that `value` is written as: 82.245 is 82245/1000, not the binary fraction nearest to it. `value` is finite. */
export function fractionOf(value: number): Fraction {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', decimals = ''] = digits.split('.')
  const power = Number(exponent) - decimals.length
  const top = BigInt(whole + decimals)
  return power >= 0 ? { top: top * 10n ** BigInt(power), bottom: 1n } : { top, bottom: 10n ** BigInt(-power) }
}

/**
 * Sum of value × weight, divided by the sum of the weights. Weights may add up to 0.999 or 1.001, and even then the mean lies between
 * the smallest and the largest value.
 */
export function weightedMean(parts: readonly { value: number; weight: number }[]): Fraction {
  const zero: Fraction = { top: 0n, bottom: 1n }
  const sum = parts.map(({ value, weight }) => times(fractionOf(value), fractionOf(weight))).reduce(plus, zero)
  const weights = parts.map(({ weight }) => fractionOf(weight)).reduce(plus, zero)
  return { top: sum.top * weights.bottom, bottom: sum.bottom * weights.top }
}

export function minus(left: Fraction, right: Fraction): Fraction {
  return plus(left, { top: -right.top, bottom: right.bottom })
}

/** Negative, zero or positive, as for sorting. */
export function compareTo(left: Fraction, right: number): number {
  return Number(minus(left, fractionOf(right)).top > 0n) - Number(minus(left, fractionOf(right)).top < 0n)
}

/** 82.245 → 82.25, -0.125 → -0.12: halves go up. */
export function roundHalfUp({ top, bottom }: Fraction, decimals = 2): number {
  const scale = 10n ** BigInt(decimals)
  return Number(floorDivide(2n * top * scale + bottom, 2n * bottom)) / Number(scale)
}

/** BigInt division cuts towards zero. */
function floorDivide(top: bigint, bottom: bigint): bigint {
  return top % bottom < 0n ? top / bottom - 1n : top / bottom
}

function plus(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.bottom + right.top * left.bottom, bottom: left.bottom * right.bottom }
}

function times(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.top, bottom: left.bottom * right.bottom }
}
