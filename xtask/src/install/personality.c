/* Rust's own library names this function, because it is built for programs that unwind. Here nothing
   does. */
void abort(void);
void rust_eh_personality(void);
void rust_eh_personality(void) { abort(); }
