import BoardExample

serve(DueTime.self)
