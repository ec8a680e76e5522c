/**
 * A program in Python that runs the tests of `unittest` and writes JUnit XML to its argument: the standard library has no report of its own. A module that
 * cannot be imported is `collection failure`, as pytest says it. What is no method, as a doctest, is named by its id.
 */
export const UNITTEST_PROGRAM = `
import sys, time, unittest
from xml.sax.saxutils import quoteattr

class Result(unittest.TextTestResult):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.cases = []
    def keep(self, test, tag, error):
        broken = type(test).__name__ == "_FailedTest"
        kind = error[0].__name__ if error else ""
        text = "collection failure" if broken else (kind + ": " + str(error[1]) if error else "")
        name = getattr(test, "_testMethodName", None) or test.id()
        if not test.id().endswith(name):
            name = test.id()
        owner = "" if broken else type(test).__module__ + "." + type(test).__qualname__
        self.cases.append((owner, name, tag, kind, text, str(error[1]) if error else ""))
    def addSuccess(self, test):
        super().addSuccess(test); self.keep(test, None, None)
    def addFailure(self, test, error):
        super().addFailure(test, error); self.keep(test, "failure", error)
    def addError(self, test, error):
        super().addError(test, error); self.keep(test, "error", error)
    def addSkip(self, test, reason):
        super().addSkip(test, reason); self.keep(test, "skipped", None)
    def addExpectedFailure(self, test, error):
        super().addExpectedFailure(test, error); self.keep(test, "skipped", None)
    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test); self.keep(test, "failure", None)
    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.keep(test, "failure" if issubclass(error[0], test.failureException) else "error", error)

def clean(text):
    return quoteattr("".join(c if c >= " " or c in "\\n\\t" else "?" for c in text))

sys.path.insert(0, ".")
suite = unittest.defaultTestLoader.discover(sys.argv[2] if len(sys.argv) > 2 else ".", top_level_dir=".")
result = unittest.TextTestRunner(resultclass=Result).run(suite)
with open(sys.argv[1], "w", encoding="utf-8", errors="replace") as out:
    out.write("<testsuite name='unittest' tests='%d'>" % len(result.cases))
    for owner, name, tag, kind, text, body in result.cases:
        out.write("<testcase classname=%s name=%s>" % (clean(owner), clean(name)))
        if tag:
            out.write("<%s type=%s message=%s>%s</%s>" % (tag, clean(kind), clean(text), clean(body)[1:-1], tag))
        out.write("</testcase>")
    out.write("</testsuite>")
sys.exit(0 if result.wasSuccessful() else 1)
`.trimStart()
