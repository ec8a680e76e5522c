import { describe, expect, it } from 'vitest'
import { missingThingOf } from '../../../src/rules/circt/missing-thing.js'

describe('what a crash found missing', () => {
  it.each([
    ['mlir::StringAttr::getValue', 'reads an attribute that is not there or of another kind'],
    ['mlir::Attribute::getContext', 'reads an attribute that is not there or of another kind'],
    ['mlir::SuccessorRange::SuccessorRange', 'walks into a block or region that is empty'],
    ['mlir::Value::getDefiningOp', 'uses a value that is null or erased'],
    ['mlir::TypeRange::dereference_iterator', 'asks a type that is null or of another kind'],
    ['mlir::Operation::fold', 'uses an operation that is null or erased'],
    ['mlir::SymbolTable::lookupSymbolIn', 'looks up a symbol in a place that has none'],
    ['circt::hw::HWModuleOp::getName', null],
    ['mlir::detail::something', null],
    ['', null],
  ])('in %s', (innermost, missing) => {
    expect(missingThingOf(innermost)).toBe(missing)
  })
})
