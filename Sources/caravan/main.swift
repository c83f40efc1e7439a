print("caravan")
