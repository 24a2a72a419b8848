/// A folder for one test.
