import BoardExample

serve(DueDay.self)  // as the first version of the program has it
